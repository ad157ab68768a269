export type { DataToolMeans, OutputFiles } from './contract.ts'
export { createDataTools } from './data-tools.ts'
export { toDescribedWords } from './source-description.ts'
