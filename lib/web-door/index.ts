export { announcedBody, BodyRefused, noRoom } from './body-refused';
export { handleWeb } from './handle-web';
export { webRequest } from './web-request';
