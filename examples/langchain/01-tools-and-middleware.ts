// LangChain's tools and middlewares on our engine: nothing but the configuration changes.
import assert from 'node:assert/strict'
import { withLangChain } from '@dataagent/langchain'
import { createMiddleware, piiMiddleware, tool, toolRetryMiddleware } from 'langchain'
import { z } from 'zod'
import { openPlatform } from './open-platform.ts'

// Fails twice, as an API that is busy would.
let tries = 0
const rate = tool(
  async ({ currency }) => {
    tries += 1
    if (tries < 3) throw new Error('busy')
    return `1 EUR is 7.8 ${currency}`
  },
  {
    name: 'exchange_rate',
    description: 'The rate of a currency.',
    schema: z.object({ currency: z.string() }),
  },
)

const mails: string[] = []
const sendMail = tool(
  async ({ to, text }) => {
    mails.push(`${to}: ${text}`)
    return `Sent to ${to}.`
  },
  {
    name: 'send_mail',
    description: 'Sends a mail.',
    schema: z.object({ to: z.string(), text: z.string() }),
  },
)

// A middleware of one's own, with a state and a hook.
const asked: number[] = []
const countCalls = createMiddleware({
  name: 'CountCalls',
  stateSchema: z.object({ count: z.number().default(0) }),
  beforeModel: ({ count }) => {
    asked.push(count)
    return { count: count + 1 }
  },
})

await using platform = await openPlatform()
const { say } = await platform.openSession(
  withLangChain({
    assistant_id: 'clerk',
    extra_tools: [rate, sendMail],
    extra_middleware: [
      toolRetryMiddleware({ maxRetries: 3, initialDelayMs: 1 }),
      piiMiddleware('credit_card', { strategy: 'redact' }),
      countCalls,
    ],
    // What LangChain has no word for: this tool asks a person.
    tool_options: (name) => (name === 'send_mail' ? { approval: 'ask' } : undefined),
  }),
)

// The retries are the middleware's; the model and the log see one call, with its result.
const { events, text } = await say('Use the exchange_rate tool with currency=CNY')
console.log(text)
assert.match(text, /1 EUR is 7.8 CNY/)
assert.equal(tries, 3)
const results = events.filter((event) => event.event_type === 'tool_result')
assert.deepEqual(
  results.map(({ status }) => status),
  ['success'],
)
assert.deepEqual(asked, [0, 1])

// The policy is the hub's: where nobody may say yes, nothing is sent, and the model is told so.
const mail = 'Use the send_mail tool with to=bob@example.com text=hello'
const refused = await say(mail, { approvals: { kind: 'nothing' } })
console.log(refused.text)
assert.deepEqual(mails, [])
const approvals = { kind: 'everything', setting: 'a story' } as const
await say('Use the send_mail tool with to=bob@example.com text="my card is 4111111111111111"', {
  approvals,
})
console.log(mails)
assert.deepEqual(mails, ['bob@example.com: my card is [REDACTED_CREDIT_CARD]'])
