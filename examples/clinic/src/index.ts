export { type Clinic, openClinicDatabase } from './database/index.ts'
export { type StartClinicOptions, startClinic } from './server.ts'
export { type ClinicToolsOptions, createClinicTools } from './tools/clinic-tools.ts'
export type { Enrich } from './tools/enrichment.ts'
