export { modelsFor, resolveModel, type Resolution } from './resolve-model';
