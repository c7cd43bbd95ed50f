export { CALL_HEADER, callIds } from './call-ids';
