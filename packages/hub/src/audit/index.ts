export { createAudit } from './audit.ts'
export type {
  AnchorRow,
  Audit,
  CallLogFilters,
  CallLogQuery,
  CallLogRow,
  CallLogRows,
  CallQuery,
  CallRecord,
  ChainReport,
} from './contract.ts'
export { listWriters, type TrimRows, trimChain } from './trim.ts'
