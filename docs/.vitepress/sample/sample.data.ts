import { readSample, type Sample } from './sample';

declare const data: Sample;

export { data };

export default { load: readSample };
