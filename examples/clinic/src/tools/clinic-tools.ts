import { type Clock, systemClock } from '@dataagent/guard'
import type { OwnTool } from '@dataagent/hub'
import type { Clinic } from '../database/index.ts'
import { createConsultationTools } from './consultation-tools.ts'
import { createCustomerTools } from './customer-tools.ts'
import type { Enrich } from './enrichment.ts'
import { createProjectTools } from './project-tools.ts'
import { createTreatmentTools } from './treatment-tools.ts'
import { createUserTools } from './user-tools.ts'

export interface ClinicToolsOptions {
  database: Clinic
  /** A model's words beside what the rules found. Default: none. */
  enrich?: Enrich | undefined
  clock?: Clock | undefined
}

/** The nine tools of the clinic, in five categories. */
export function createClinicTools(options: ClinicToolsOptions): OwnTool[] {
  const { database, enrich, clock = systemClock } = options
  return [
    ...createUserTools(database),
    ...createCustomerTools(database, enrich),
    ...createConsultationTools(database, clock),
    ...createTreatmentTools(database, enrich),
    ...createProjectTools(database),
  ]
}
