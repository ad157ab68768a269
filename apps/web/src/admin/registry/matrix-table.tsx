import type { AgentInfo, ToolView } from '@dataagent/schema'
import { EllipsisVertical } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TickBox } from '../../ui/tick-box.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { type AllowEntry, boundPart, type KnownTool } from './allow-list.ts'
import { registryWords } from './registry-words.ts'
import { useBindings } from './use-bindings.ts'

interface MatrixTableProps {
  tools: readonly ToolView[]
  agents: readonly AgentInfo[]
  /** The agent whose list is being changed. */
  busy: string | undefined
  onTick(agent: AgentInfo, tools: readonly KnownTool[], isOn: boolean): void
  /** An agent that has no list is to have one, without these. */
  onLimit(agent: AgentInfo, without: readonly KnownTool[]): void
  onUnlimit(agent: AgentInfo): void
}

interface Listed {
  agent: AgentInfo
  /** Null without a list; undefined until it is known. */
  entries: readonly AllowEntry[] | null | undefined
}

export function MatrixTable(props: MatrixTableProps) {
  const { tools, agents, busy, onTick, onLimit, onUnlimit } = props
  const words = useWords(registryWords)
  const formats = useFormats()
  const lists = useBindings(agents.map(({ assistant_id }) => assistant_id))
  const columns = agents.map((agent, i): Listed => {
    const list = lists[i]?.data
    return { agent, entries: list === undefined ? undefined : (list?.entries ?? null) }
  })
  const servers = [...Map.groupBy(tools, serverOf)]

  const cells = (of: readonly ToolView[], labelOf: (agent: string) => string) =>
    columns.map(({ agent, entries }) => (
      <td key={agent.assistant_id} className="px-3 py-1.5 text-center">
        <TickBox
          label={labelOf(agent.name)}
          state={entries ? boundPart(entries, of) : 'all'}
          disabled={entries === undefined || busy === agent.assistant_id}
          onChange={(isOn) => (entries ? onTick(agent, of, isOn) : onLimit(agent, of))}
        />
      </td>
    ))

  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-label={words.caption}
      className="max-h-[70dvh] overflow-auto rounded-xl border border-line bg-panel"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 z-[2] bg-raised">
          <tr>
            <th scope="col" className={`${firstClass} bg-raised text-left text-soft`}>
              {words.tool}
            </th>
            {columns.map((column) => (
              <AgentHead
                key={column.agent.assistant_id}
                column={column}
                onLimit={() => onLimit(column.agent, [])}
                onUnlimit={() => onUnlimit(column.agent)}
              />
            ))}
          </tr>
        </thead>
        {servers.map(([server, of]) => (
          <tbody key={server}>
            <tr className="border-t border-line bg-back">
              <th scope="rowgroup" className={`${firstClass} bg-back text-left font-semibold`}>
                <PlainText text={server} />{' '}
                <span className="font-normal text-soft">
                  {words.wholeServer(formats.number(of.length))}
                </span>
              </th>
              {cells(of, (agent) => words.serverCell(agent, server))}
            </tr>
            {of.map((tool) => (
              <tr key={tool.wire_name} className="border-t border-line">
                <th scope="row" className={`${firstClass} bg-panel text-left font-normal`}>
                  <span className="flex items-center gap-2 pl-4 font-mono text-[13px]">
                    <PlainText text={tool.name} />
                    {tool.verdict === 'ask' && <Badge tone="wait">{words.asks}</Badge>}
                  </span>
                </th>
                {cells([tool], (agent) => words.cell(agent, tool.sdk_name))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

const firstClass = 'sticky left-0 z-[1] min-w-52 px-3 py-1.5 border-r border-line'

/** `server.tool` without the tool: what people call the server. */
function serverOf({ sdk_name, name, server_id }: ToolView): string {
  return sdk_name.endsWith(`.${name}`) ? sdk_name.slice(0, -name.length - 1) : server_id
}

interface AgentHeadProps {
  column: Listed
  onLimit(): void
  onUnlimit(): void
}

function AgentHead({ column: { agent, entries }, onLimit, onUnlimit }: AgentHeadProps) {
  const words = useWords(registryWords)
  const formats = useFormats()
  return (
    <th scope="col" className="px-3 py-1.5 align-top font-medium">
      <span className="flex items-start justify-center gap-1">
        <span className="flex flex-col whitespace-nowrap">
          <PlainText text={agent.name} />
          <span className="text-xs font-normal text-soft">
            {entries ? words.limited(formats.number(entries.length)) : words.unlimited}
          </span>
        </span>
        <Menu
          trigger={
            <IconButton size="small" label={words.agentMenu(agent.name)}>
              <EllipsisVertical className="size-4" />
            </IconButton>
          }
          items={[
            entries
              ? { label: words.unlimit, onSelect: onUnlimit }
              : { label: words.limit, onSelect: onLimit },
          ]}
        />
      </span>
    </th>
  )
}
