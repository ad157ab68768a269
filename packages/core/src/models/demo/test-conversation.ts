import type { ModelDelta, ModelMessage, ModelRequest, ModelTool } from '../contract.ts'
import { createDemoModel } from './demo-model.ts'

export interface Answer {
  text: string
  calls: { name: string; arguments: Readonly<Record<string, unknown>> | undefined }[]
  deltas: ModelDelta[]
}

export async function ask(request: ModelRequest): Promise<Answer> {
  const deltas: ModelDelta[] = []
  for await (const batch of createDemoModel().stream(request, undefined)) deltas.push(...batch)
  const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
  const calls = deltas.filter((delta) => delta.type === 'tool_call')
  return {
    text,
    calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
    deltas,
  }
}

/** A conversation as an engine leads it; the test gives the results of the tools. */
export function createConversation(told: { tools?: readonly ModelTool[]; system?: string } = {}) {
  const messages: ModelMessage[] = []
  let { tools = shopTools, system = '' } = told

  async function next(): Promise<Answer> {
    const answer = await ask({ system, messages, tools })
    const tool_calls = answer.deltas.filter((delta) => delta.type === 'tool_call')
    messages.push({
      role: 'assistant',
      content: answer.text,
      tool_calls: tool_calls.map(({ id, name, arguments: args }) => ({
        id,
        name,
        arguments: args ?? {},
      })),
    })
    return answer
  }

  return {
    say(content: string): Promise<Answer> {
      messages.push({ role: 'user', content })
      return next()
    },
    /** Answers each call of the last message with the same content. */
    give(content: unknown, is_error = false): Promise<Answer> {
      const last = messages.at(-1)
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      for (const { id, name } of last?.role === 'assistant' ? last.tool_calls : []) {
        messages.push({ role: 'tool', tool_call_id: id, name, content: text, is_error })
      }
      return next()
    },
    /** What the next requests tell of tools. */
    tell(next: { tools: readonly ModelTool[]; system: string }): void {
      ;({ tools, system } = next)
    },
  }
}

const orderId = { type: 'string', description: 'Number of the order, such as order-0042' }

function tool(
  name: string,
  description: string,
  properties: Record<string, unknown>,
  required: string[] = Object.keys(properties),
): ModelTool {
  return { name, description, parameters: { type: 'object', properties, required } }
}

export const shopTools: readonly ModelTool[] = [
  tool('mall_order_get_detail', 'One order: its status, customer and lines.', { orderId }),
  tool('mall_order_cancel', 'Cancels an order that has not been shipped.', { orderId }),
  tool('mall_order_add_note', 'Adds a note to an order.', { orderId, text: { type: 'string' } }),
  tool(
    'mall_order_list',
    'Orders, newest first.',
    {
      customerId: { type: 'string', description: 'Such as customer-007' },
      status: { enum: ['paid', 'shipped', 'cancelled'] },
      limit: { type: 'integer', default: 20 },
    },
    [],
  ),
  tool('mall_product_search', 'Products whose name holds a keyword.', {
    keyword: { type: 'string' },
  }),
  tool(
    'mall_stock_check',
    'How many pieces of a product there are.',
    { productId: { type: 'string' }, quantity: { type: 'integer', default: 1 } },
    ['productId'],
  ),
  tool(
    'mall_report_sales',
    'Revenue by day, category or region.',
    {
      by: { enum: ['day', 'category', 'region'] },
      from: { type: 'string', format: 'date' },
      to: { type: 'string', format: 'date' },
    },
    ['by'],
  ),
  tool('weather_get_forecast', 'Forecast for a city.', { city: { type: 'string' } }),
  tool('db_run_query', 'Runs a query that only reads.', { sql: { type: 'string' } }),
  tool('mailer_send_mail', 'Sends a mail.', {
    to: { type: 'string', format: 'email' },
    subject: { type: 'string' },
    body: { type: 'string' },
  }),
  tool('crm_lookup', '按手机号查询会员等级。', {
    phone: { type: 'string', description: '手机号' },
  }),
]

const todo = {
  type: 'object',
  properties: { content: { type: 'string' }, status: { enum: ['pending', 'completed'] } },
  required: ['content', 'status'],
}

export const ownTools: readonly ModelTool[] = [
  tool('write_todos', 'Keeps the plan.', { todos: { type: 'array', items: todo } }),
  tool('read_file', 'Reads a file.', { path: { type: 'string' } }),
  tool('write_file', 'Writes a file.', { path: { type: 'string' }, content: { type: 'string' } }),
  tool('edit_file', 'Replaces a passage.', {
    path: { type: 'string' },
    old_string: { type: 'string' },
    new_string: { type: 'string' },
  }),
  tool('delete_file', 'Deletes a file.', { path: { type: 'string' } }),
  tool('grep', 'Finds lines.', { pattern: { type: 'string' }, path: { type: 'string' } }, [
    'pattern',
  ]),
  tool('shell', 'Runs a command.', { command: { type: 'string' } }),
  tool('list', 'Lists files.', { path: { type: 'string' } }, []),
  tool('remember', 'Keeps a fact.', { fact: { type: 'string' } }),
  tool('recall', 'Finds facts.', { query: { type: 'string' } }),
  tool('forget', 'Drops a fact.', { query: { type: 'string' } }),
  tool('fetch_url', 'Reads a page.', { url: { type: 'string', format: 'uri' } }),
]
