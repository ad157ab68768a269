// A program that waits for an approval that nobody gives: it must live until the run is done.
import { collect, countingTool, person, startEngine } from './test-engine.ts'

const send = countingTool('send', { approval: 'ask' })
const engine = await startEngine({
  tools: [send],
  script: [{ toolCalls: [{ name: 'send', arguments: {} }] }, { text: 'Done.' }],
})
const approvals = { kind: 'inbox', timeoutMs: 500 } as const
const context = { principal: person, approvals }
const events = await collect(engine.executor.execute('Go', engine.session_id, context))
console.log(events.at(-1)?.event_type)
await engine[Symbol.asyncDispose]()
