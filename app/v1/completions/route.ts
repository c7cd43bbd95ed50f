import { dataPlane } from '../data-plane';

export { dataPlane as GET, dataPlane as POST, dataPlane as PUT, dataPlane as PATCH, dataPlane as DELETE };
