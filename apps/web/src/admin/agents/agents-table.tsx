import type { AgentInfo } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { EllipsisVertical } from 'lucide-react'
import { Badge, StateDot } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Mono, NameAndId } from '../../ui/details.tsx'
import { Menu } from '../../ui/menu.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { useBinding } from '../registry/use-bindings.ts'
import { agentsWords } from './agents-words.ts'
import { useAgentActions } from './use-agent-actions.tsx'
import { builtInId, useAgentDetails } from './use-agent-details.ts'

interface AgentsTableProps {
  agents: readonly AgentInfo[]
  onEdit(agent: AgentInfo): void
}

export function AgentsTable({ agents, onEdit }: AgentsTableProps) {
  const words = useWords(agentsWords)
  const common = useWords(adminWords)
  const { setEnabled, remove, dialog } = useAgentActions()
  const columns: Column<AgentInfo>[] = [
    {
      ...{ name: 'agent', head: common.agent },
      cell: ({ assistant_id, name }) => (
        <span className="flex items-start gap-2">
          <NameAndId name={name} id={assistant_id} />
          {assistant_id === builtInId && <Badge>{words.builtIn}</Badge>}
        </span>
      ),
    },
    { name: 'model', head: words.model, cell: ({ model }) => <Mono text={model} /> },
    {
      ...{ name: 'abilities', head: words.abilities },
      cell: ({ assistant_id }) => <Abilities assistant_id={assistant_id} />,
    },
    { name: 'tools', head: words.tools, cell: (agent) => <BoundTools agent={agent} /> },
    {
      ...{ name: 'state', head: common.state },
      cell: ({ enabled }) => (
        <StateDot
          tone={enabled ? 'good' : 'plain'}
          text={enabled ? common.enabled : common.disabled}
        />
      ),
    },
    {
      ...{ name: 'actions', head: common.actions },
      cell: (agent) => (
        <span className="flex items-center gap-1">
          <Button size="small" onClick={() => onEdit(agent)}>
            {common.edit}
          </Button>
          <Menu
            trigger={
              <IconButton size="small" label={common.menu(agent.name)}>
                <EllipsisVertical className="size-4" />
              </IconButton>
            }
            items={[
              {
                label: agent.enabled ? common.disable : common.enable,
                onSelect: () => setEnabled(agent, !agent.enabled),
              },
              'line',
              {
                label: agent.assistant_id === builtInId ? words.reset : common.remove,
                ...{ danger: true, onSelect: () => remove(agent) },
              },
            ]}
          />
        </span>
      ),
    },
  ]
  return (
    <>
      <Table
        caption={words.list}
        columns={columns}
        rows={agents}
        keyOf={({ assistant_id }) => assistant_id}
      />
      {dialog}
    </>
  )
}

function Abilities({ assistant_id }: { assistant_id: string }) {
  const words = useWords(agentsWords)
  const { data } = useAgentDetails(assistant_id)
  if (!data) return '…'
  return (
    <span className="flex flex-wrap gap-1">
      {data.enable_memory && <Badge>{words.memory}</Badge>}
      {data.enable_skills && <Badge>{words.skills}</Badge>}
      {data.enable_shell && <Badge tone="wait">{words.shell}</Badge>}
      {data.auto_approve && <Badge tone="wait">{words.autoApprove}</Badge>}
    </span>
  )
}

/** How many tools its list allows, and the way to the list. */
function BoundTools({ agent: { assistant_id, name } }: { agent: AgentInfo }) {
  const words = useWords(agentsWords)
  const formats = useFormats()
  const { data } = useBinding(assistant_id)
  if (data === undefined) return '…'
  return (
    <Link
      to="/admin/registry"
      search={{ tab: 'matrix', agent: assistant_id }}
      className="whitespace-nowrap text-accent underline"
    >
      {data === null ? words.allTools : words.nTools(formats.number(data.entries.length))}
      <span className="sr-only">{words.toTools(name)}</span>
    </Link>
  )
}
