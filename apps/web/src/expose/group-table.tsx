import type { ToolGroupInfo } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { StateDot } from '../ui/badge.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { exposeWords } from './expose-words.ts'
import { GroupMenu } from './group-menu.tsx'
import { keyTones, toKeyState } from './key-state.ts'
import { countChosen, isEverything } from './tools/tool-choice.ts'
import { useCallsByGroup, useGrantCounts, useOfferedTools } from './use-groups.ts'

/** The groups, with what each is used for. */
export function GroupTable({ groups }: { groups: readonly ToolGroupInfo[] }) {
  const words = useWords(exposeWords)
  const formats = useFormats()
  const { data: offered } = useOfferedTools()
  const { data: tallies } = useCallsByGroup()
  const grants = useGrantCounts(groups.map(({ group_id }) => group_id))

  function toolsOf({ tools }: ToolGroupInfo) {
    if (isEverything(tools)) return words.everything
    return offered ? words.count(countChosen(tools, offered)) : '…'
  }

  function clientsOf({ group_id }: ToolGroupInfo) {
    const found = grants.get(group_id)
    if (!found) return '…'
    const count = formats.number(found.count)
    return found.more ? words.atLeast(count) : count
  }

  function callsOf({ group_id }: ToolGroupInfo) {
    if (!tallies) return '…'
    const { calls = 0, failed = 0 } = tallies.find(({ key }) => key === group_id) ?? {}
    return (
      <>
        {formats.number(calls)}
        {failed > 0 && (
          <span className="block text-xs text-bad">{words.failed(formats.number(failed))}</span>
        )}
      </>
    )
  }

  const columns: Column<ToolGroupInfo>[] = [
    { name: 'name', head: words.name, cell: (group) => <GroupName group={group} /> },
    { name: 'tools', head: words.tools, cell: toolsOf, className: 'whitespace-nowrap' },
    { name: 'key', head: words.key, cell: (group) => <KeyDot group={group} /> },
    { name: 'state', head: words.state, cell: (group) => <EnabledDot group={group} /> },
    { name: 'clients', head: words.clients, align: 'end', cell: clientsOf },
    { name: 'calls', head: words.calls, align: 'end', cell: callsOf },
    {
      name: 'actions',
      head: <span className="sr-only">{words.actions}</span>,
      align: 'end',
      cell: (group) => <GroupMenu group={group} />,
    },
  ]
  return (
    <Table
      caption={words.list}
      columns={columns}
      rows={groups}
      keyOf={({ group_id }) => group_id}
    />
  )
}

function GroupName({ group }: { group: ToolGroupInfo }) {
  return (
    <div className="min-w-40">
      <Link
        to="/tools/expose/$groupId"
        params={{ groupId: group.group_id }}
        className="font-medium text-accent hover:underline [overflow-wrap:anywhere]"
      >
        <PlainText text={group.name} />
      </Link>
      {group.description && (
        <p className="line-clamp-2 max-w-96 text-[13px] text-soft [overflow-wrap:anywhere]">
          <PlainText text={group.description} />
        </p>
      )}
    </div>
  )
}

export function KeyDot({ group }: { group: ToolGroupInfo }) {
  const words = useWords(exposeWords)
  const state = toKeyState(group, Date.now())
  return <StateDot tone={keyTones[state]} text={words.keys[state]} />
}

export function EnabledDot({ group }: { group: ToolGroupInfo }) {
  const words = useWords(exposeWords)
  return (
    <StateDot
      tone={group.enabled ? 'good' : 'plain'}
      text={group.enabled ? words.enabled : words.disabled}
    />
  )
}
