import type { CatalogueEntry } from '@dataagent/hub'
import type { ToolServer } from '../contract.ts'

interface ServerSpec {
  name: string
  alias?: string
  description: string
  keywords: readonly string[]
  tools: Readonly<Record<string, string>>
}

/** Servers of several domains: with keywords in both languages, and one without any. */
const specs: readonly ServerSpec[] = [
  {
    name: 'mall',
    alias: 'shop',
    description: 'Orders, products and stock of the mall.',
    keywords: ['订单', '库存', '退货', 'order status', 'refund', 'SKU'],
    tools: {
      'mall4j.order.get_detail': 'One order: its status, customer, lines and total.',
      'mall4j.order.list': 'Orders, newest first.',
      'mall4j.product.search': 'Products whose name holds a keyword.',
      'mall4j.stock.check': 'How many pieces of a product each warehouse has.',
    },
  },
  {
    name: 'warehouse-db',
    alias: 'db',
    description: 'Reads the data warehouse.',
    keywords: ['SQL', '数据库', '查表', 'data warehouse'],
    tools: {
      run_query: 'Runs a query that only reads.',
      list_tables: 'Names of all tables.',
      describe_table: 'Columns of a table.',
    },
  },
  {
    name: 'weather',
    description: 'Weather of cities.',
    keywords: ['天气', '气温', 'weather', 'forecast'],
    tools: {
      get_forecast: 'Forecast of the next days for a city.',
      current_conditions: 'What it is like in a city now.',
    },
  },
  {
    name: 'github',
    description: 'Issues, pull requests and code.',
    keywords: ['GitHub', 'pull request', '代码仓库', 'C++', 'PR'],
    tools: {
      create_issue: 'Opens an issue.',
      list_pull_requests: 'Open pull requests of a repository.',
      search_code: 'Finds code.',
    },
  },
  {
    name: 'filesystem',
    alias: 'fs',
    description: 'filesystem',
    keywords: [],
    tools: {
      read_text: 'Reads a file.',
      list_directory: 'What is in a folder.',
      search: 'Finds files by name.',
    },
  },
  {
    name: 'mailer',
    description: 'Mail of the company.',
    keywords: ['邮件', 'inbox', 'e-mail'],
    tools: {
      send_mail: 'Sends a mail.',
      search_mail: 'Finds mails.',
    },
  },
  {
    name: '翻译',
    alias: 'translator',
    description: 'Translates texts.',
    keywords: ['译成'],
    tools: {
      翻译文本: 'Translates a text.',
      detect_language: 'Which language a text is in.',
    },
  },
  {
    name: 'clock',
    description: 'Time in all zones.',
    keywords: ['时区', 'time zone'],
    tools: { time: 'What time it is.', countdown: 'Days until a date.' },
  },
]

/** What the sentences are read against. */
export const labelledServers: readonly ToolServer[] = specs.map(
  ({ name, alias, description, keywords }) => ({
    server_id: `srv-${name}`,
    name,
    alias,
    description,
    trigger_keywords: keywords,
  }),
)

export const labelledEntries: readonly CatalogueEntry[] = specs.flatMap((server) =>
  Object.entries(server.tools).map(([name, description], position) =>
    toEntry({ server, name, description, position }),
  ),
)

interface ToolSpec {
  server: ServerSpec
  name: string
  description: string
  position: number
}

function toEntry({ server, name, description, position }: ToolSpec): CatalogueEntry {
  const sdk_name = `${server.alias ?? server.name}.${name}`
  return {
    tool: {
      tenant_id: 't1',
      server_id: `srv-${server.name}`,
      name,
      state: 'active',
      version: 1,
      hash: '',
      definition: { name, description, inputSchema: { type: 'object' } },
      findings: [],
      position,
      created_at: 0,
      seen_at: 0,
    },
    offer: { status: 'offered' },
    sdk_name,
    wire_name: sdk_name.replaceAll(/[^\w-]/g, '_'),
  }
}
