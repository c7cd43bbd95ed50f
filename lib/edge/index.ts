export { createEdgeDesk } from './desk';
export { takeRows, type TakeRows } from './take-rows';
