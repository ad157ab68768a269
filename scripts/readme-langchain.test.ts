import { join } from 'node:path'
import { describePrograms, describeTables, readPage, testLinks } from './readme/describe-page.ts'
import { repository } from './setup/paths.mjs'

const page = await readPage('the page of LangChain', 'packages/langchain')

await describeTables(page, [
  'LangChainAgentConfig',
  'FromToolOptions',
  'LangChainModelOptions',
  'LangChainExecutorOptions',
  'GraphParts',
  'DeepAgentOptions',
  'ToLangChainToolsOptions',
  'CheckpointSaverOptions',
])

describePrograms(page, {
  startPlaces: async () => ({
    './open-platform.ts': join(repository, 'examples/langchain/open-platform.ts'),
  }),
  prints: [/A [1-6] of 6/, /notes\.txt/],
})

testLinks(page)
