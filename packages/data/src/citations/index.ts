export { type CitationInput, checkCitations } from './check-citations.ts'
export { type CitationMark, findCitations } from './find-citations.ts'
export type { CitedQuery } from './known-values.ts'
