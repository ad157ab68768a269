export type { NewSource, OpenSource, SourceChange, Sources } from './contract.ts'
export { quotePath } from './quote.ts'
export { createSources, type SourcesOptions } from './sources.ts'
