import type { Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { dataDefinitionRoutes } from './data-definitions.ts'
import { dataFileRoutes } from './data-files.ts'
import { dataQueryRoutes } from './data-queries.ts'
import { dataQuestionRoutes } from './data-questions.ts'
import { createAskSources } from './data-run.ts'
import { dataSourceRoutes } from './data-sources.ts'

/** Sources of data, what their words mean, questions about them, and queries with their rows. */
export function dataRoutes(platform: GetPlatform): Route[] {
  const { run, explain } = createAskSources(platform)
  return [
    ...dataSourceRoutes(platform),
    ...dataDefinitionRoutes(platform),
    ...dataQuestionRoutes(platform, run),
    ...dataQueryRoutes(platform, { run, explain }),
    ...dataFileRoutes(platform),
  ]
}
