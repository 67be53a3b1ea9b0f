import { shaping } from '../ours.js';

export default shaping('ours, vectors', true);
