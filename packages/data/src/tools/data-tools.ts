import type { OwnTool } from '@dataagent/hub'
import type { DataToolMeans } from './contract.ts'
import { createExportRows } from './export-rows.ts'
import { createListSources } from './list-sources.ts'
import { createMakeChart } from './make-chart.ts'
import { createProfileTable } from './profile-table.ts'
import { createRunSql } from './run-sql.ts'
import { createSaveQuestion } from './save-question.ts'
import { createDescribeSource } from './source-description.ts'

/** Tools to ask sources of data, and to show, save and export what they give. */
export function createDataTools(means: DataToolMeans): OwnTool[] {
  return [
    createListSources(means),
    createDescribeSource(means),
    createRunSql(means),
    createProfileTable(means),
    createMakeChart(means),
    createExportRows(means),
    createSaveQuestion(means),
  ]
}
