export type {
  ResultPage,
  ResultRow,
  ResultRows,
  Results,
} from './contract.ts'
export { describePart } from './describe-part.ts'
export { createReadResultTool } from './read-result-tool.ts'
export { createResults } from './results.ts'
