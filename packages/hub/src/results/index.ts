export type {
  ResultPage,
  ResultRow,
  ResultRows,
  Results,
} from './contract.ts'
export { partInWords } from './part-in-words.ts'
export { createReadResultTool } from './read-result-tool.ts'
export { createResults } from './results.ts'
