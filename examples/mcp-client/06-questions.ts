// A server asks back: for a person's answer, for a model's, for the folders it may use.
import assert from 'node:assert/strict'
import { createMcpManager } from '@dataagent/mcp'
import { startEverything } from './servers/everything.ts'

await using everything = await startEverything()

await using mcp = createMcpManager({
  questions: {
    async elicit({ message }) {
      console.log(`the server asks: ${message}`)
      return { action: 'accept', content: { name: 'Ada', check: true } }
    },
    async sample({ messages }) {
      const [question] = messages
      console.log(`the server wants a model to answer: ${JSON.stringify(question?.content)}`)
      const content = { type: 'text' as const, text: 'Forty-two.' }
      return { model: 'stand-in', role: 'assistant', content }
    },
    async listRoots() {
      return [{ uri: 'file:///projects/demo', name: 'demo' }]
    },
  },
})
await mcp.addServer({ name: 'everything', transport: 'http', url: everything.url })

const signed = await mcp.callTool('mcp.everything.trigger-elicitation-request')
assert.match(signed, /Ada/)
const answered = await mcp.callTool('mcp.everything.trigger-sampling-request', {
  prompt: 'What is the answer?',
  maxTokens: 100,
})
assert.match(answered, /Forty-two/)
assert.match(await mcp.callTool('mcp.everything.get-roots-list'), /projects\/demo/)
