// A program of a user with LangChain: its agent with our model and checkpointer, its tool as ours.
import { createDemoModel } from '@dataagent/core'
import { createCheckpointSaver, toLangChainModel, withLangChain } from '@dataagent/langchain'
import { openSql } from '@dataagent/store/sql'
import { createAgent, createMiddleware, tool } from 'langchain'
import { z } from 'zod'

const double = tool(({ value }) => `twice is ${value * 2}`, {
  name: 'double',
  description: 'Doubles a number.',
  schema: z.object({ value: z.number() }),
})
const quiet = createMiddleware({ name: 'Quiet', beforeModel: () => undefined })

await using sql = openSql({ url: 'sqlite:threads.db' })
await sql.migrate()
const agent = createAgent({
  model: toLangChainModel(createDemoModel()),
  tools: [double],
  checkpointer: createCheckpointSaver({ store: sql.checkpoints }),
})
const thread = { configurable: { thread_id: 'one' } }
const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: 'Use the double tool with value=21' }] },
  thread,
)
console.log(/twice is 42/.exec(String(messages.at(-1)?.content))?.[0])

const config = withLangChain({
  assistant_id: 'helper',
  extra_tools: [double],
  extra_middleware: [quiet],
})
console.log(config.extra_tools?.[0]?.inputSchema.required, config.extra_middleware?.[0]?.name)

/** Compiles only where the types of the package are there. */
export function misuse(): void {
  // @ts-expect-error: an assistant's id is text
  withLangChain({ assistant_id: 1 })
  // @ts-expect-error: a tool is neither a number
  withLangChain({ assistant_id: 'helper', extra_tools: [1] })
}
