import { join } from 'node:path'
import { readGuide } from './readme/describe-guide.ts'
import { describePrograms } from './readme/describe-page.ts'
import { repository } from './setup/paths.mjs'

const stories = join(repository, 'examples/agents')

describePrograms(await readGuide('sdk.md'), {
  startPlaces: async () => ({
    './open-agents.ts': join(stories, 'open-agents.ts'),
    './warehouses.ts': join(stories, 'warehouses.ts'),
  }),
  prints: [/sku-0042 costs 12 euros[\s\S]*count_stock_lima of sku-0042: 7/],
})
