import { startMall } from '../examples/mall/mall.ts'
import { describePrograms, readPage, testLinks } from './readme/describe-page.ts'

const page = await readPage('the page of the hub', 'packages/hub')

describePrograms(page, {
  startPlaces: async (cleanup) => ({
    'http://127.0.0.1:8931/sse': cleanup.use(await startMall()).url,
  }),
  prints: [/order-0042/],
})

testLinks(page)
