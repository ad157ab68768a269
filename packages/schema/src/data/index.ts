export {
  type Citations,
  citationsSchema,
  type ResultBlock,
  resultBlockSchema,
} from './blocks.ts'
export {
  type ChartSpec,
  type ChartType,
  chartSpecSchema,
  chartTypeSchema,
  type NumberFormat,
  numberFormatSchema,
} from './charts.ts'
export {
  type ColumnKind,
  columnKindSchema,
  type DataColumn,
  type DataRow,
  type DataValue,
  dataColumnSchema,
  dataRowSchema,
  dataValueSchema,
} from './columns.ts'
export type {
  CopiedQuery,
  DataStore,
  DefinitionRows,
  NotedChange,
  QueryKey,
  QueryRow,
  QueryRows,
  QuestionRows,
  SourceFields,
  SourceRow,
  SourceRows,
  StoredDefinition,
  StoredQuestion,
} from './data-store.ts'
export {
  citationPattern,
  type QueryResult,
  queryRefSchema,
  queryResultSchema,
} from './queries.ts'
export {
  type DataDefinition,
  type DataQuestion,
  type DataSource,
  type DataTable,
  type DescribedColumn,
  dataDefinitionSchema,
  dataQuestionSchema,
  dataSourceSchema,
  dataTableSchema,
  describedColumnSchema,
  type SourceKind,
  sourceKindSchema,
  workspaceSourceId,
} from './sources.ts'
