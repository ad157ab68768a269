import { join } from 'node:path'
import { startModelStandIn } from '@dataagent/testkit'
import { readGuide, testLanguages } from './readme/describe-guide.ts'
import { describePrograms, testLinks } from './readme/describe-page.ts'
import { repository } from './setup/paths.mjs'

const guide = await readGuide('langchain.md')
const chinese = await readGuide('langchain.zh-CN.md')

describePrograms(guide, {
  startPlaces: async (cleanup) => ({
    'http://localhost:11434': cleanup.use(await startModelStandIn()).url,
    './open-platform.ts': join(repository, 'examples/langchain/open-platform.ts'),
  }),
  prints: [
    /Sunny in Lima, after 3 tries/,
    /^You said: Hello openai:standin\n/,
    /Refunded 10\.[\s\S]+May it\? refund \{ amount: 500 \}[\s\S]+Refunded 50\./,
    /\+milk[\s\S]+leads out of the workspace/,
    /There are 7 of sku-0042/,
    /^\{ count: 2 \}\n\d checkpoints removed\n/,
  ],
})

testLinks(guide)
testLinks(chinese)
testLanguages(guide, chinese)
