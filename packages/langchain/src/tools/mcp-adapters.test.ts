import { of, startEngine } from '@dataagent/core/engine/test-engine'
import { mallCommand, startMall } from '@dataagent/example-mall'
import { type ClientConfig, MultiServerMCPClient } from '@langchain/mcp-adapters'
import { expect, test } from 'vitest'
import { fromLangChainTools } from './from-langchain-tool.ts'

type Connections = ClientConfig['mcpServers']

/** A run of our engine with the tools of LangChain's MCP client. */
async function look(mcpServers: Connections, args: Record<string, unknown>) {
  const client = new MultiServerMCPClient({ mcpServers })
  try {
    const theirs = await client.getTools()
    const name = 'mall4j.order.get_detail'
    expect(theirs.map((tool) => tool.name)).toContain(name)
    await using engine = await startEngine({
      tools: fromLangChainTools(theirs, { untrusted: true }),
      script: ({ tools, turns }) => {
        if (turns.at(-1)?.toolResults.length) return 'Done.'
        const called = tools.find((tool) => /order.get/.test(tool.name))
        return { toolCalls: [{ name: called?.name ?? name, arguments: args }] }
      },
    })
    const events = await engine.say('Where is my order?')
    return of(events, 'tool_result')[0]
  } finally {
    await client.close()
  }
}

test("tools of LangChain's MCP client over HTTP work as extra tools [D29.4]", async () => {
  await using mall = await startMall({ transport: 'http' })
  const result = await look(
    { mall: { transport: 'http', url: mall.url } },
    { orderId: 'order-0042' },
  )
  expect(result).toMatchObject({ status: 'success', untrusted: [expect.any(String)] })
  expect(String(result?.result)).toContain('order-0042')
})

test("tools of LangChain's MCP client over stdio work as extra tools [D29.4]", async () => {
  const mall = { transport: 'stdio', ...mallCommand() } as const
  const result = await look({ mall }, { orderId: 'order-0042' })
  expect(result).toMatchObject({ status: 'success' })
  expect(String(result?.result)).toContain('order-0042')
})

test('arguments that do not fit are refused before the server hears of them [D29.4]', async () => {
  await using mall = await startMall({ transport: 'http' })
  const result = await look({ mall: { transport: 'http', url: mall.url } }, {})
  expect(result).toMatchObject({ status: 'error', outcome: 'invalid' })
  expect(await mall.calls()).toEqual([])
})
