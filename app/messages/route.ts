import { dataPlane } from '../v1/data-plane';

/** A base URL without /v1: the engine says so. */
export { dataPlane as POST };
