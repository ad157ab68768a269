export {
  makeRetailSample,
  type RetailSample,
  type RetailSampleOptions,
} from './make-retail-sample.ts'
export { retailQuestions, type SampleQuestion } from './retail-questions.ts'
export { retailDefinitions, retailTables, type TableDescription } from './retail-tables.ts'
