/** An operator who is told of stages, and takes a while. */
import { setTimeout } from 'node:timers/promises';

export default { options: { onStage: () => setTimeout(1000) } };
