export { createKeyDirectory, type CachedKeyDirectory, type KeyDirectoryOptions } from './key-directory';
