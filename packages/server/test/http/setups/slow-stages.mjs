/** An observer of stages that takes a second for each. */
import { setTimeout } from 'node:timers/promises';

export default { options: { onStage: () => setTimeout(1000) } };
