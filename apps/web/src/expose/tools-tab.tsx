import type { ToolGroupInfo, ToolView } from '@dataagent/schema'
import { Wrench } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { QueryView } from '../api/query-view.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Empty, Notice } from '../ui/notice.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useWords } from '../words/use-words.ts'
import { GroupForm } from './group-form.tsx'
import { groupWords } from './group-words.ts'
import { isChosen, isEverything, remainders } from './tools/tool-choice.ts'
import { useOfferedTools } from './use-groups.ts'

/** What clients of the group find. */
export function ToolsTab({ group }: { group: ToolGroupInfo }) {
  const words = useWords(groupWords)
  const [isEditing, setEditing] = useState(false)
  const offered = useOfferedTools()
  const choose = <Button onClick={() => setEditing(true)}>{words.chooseTools}</Button>
  return (
    <div className="flex flex-col gap-3">
      {group.tools.length === 0 ? (
        <Empty icon={<Wrench />} title={words.noTools} action={choose}>
          {words.noToolsAbout}
        </Empty>
      ) : (
        <QueryView query={offered}>
          {(tools) => <GroupTools group={group} tools={tools} choose={choose} />}
        </QueryView>
      )}
      {isEditing && <GroupForm group={group} onClose={() => setEditing(false)} />}
    </div>
  )
}

interface GroupToolsProps {
  group: ToolGroupInfo
  tools: readonly ToolView[]
  choose: ReactNode
}

function GroupTools({ group, tools, choose }: GroupToolsProps) {
  const words = useWords(groupWords)
  const chosen = tools.filter((tool) => isChosen(group.tools, tool))
  const others = remainders(group.tools, tools)
  const columns: Column<ToolView>[] = [
    {
      name: 'tool',
      head: words.tool,
      cell: ({ name, verdict }) => (
        <>
          <span className="font-mono text-[13px] [overflow-wrap:anywhere]">
            <PlainText text={name} />
          </span>{' '}
          {verdict === 'ask' && <Badge tone="wait">{words.asks}</Badge>}
        </>
      ),
    },
    { name: 'server', head: words.server, cell: ({ server_id }) => <PlainText text={server_id} /> },
    {
      name: 'description',
      head: words.description,
      cell: ({ description }) => (
        <span className="line-clamp-2 min-w-56 text-soft">
          <PlainText text={description.slice(0, 400)} />
        </span>
      ),
    },
  ]
  return (
    <>
      <div className="flex justify-end">{choose}</div>
      {isEverything(group.tools) && <Notice>{words.everything}</Notice>}
      {chosen.length > 0 && (
        <Table
          caption={words.tools}
          columns={columns}
          rows={chosen}
          keyOf={({ server_id, name }) => `${server_id}/${name}`}
        />
      )}
      {others.length > 0 && (
        <p className="text-[13px] text-soft">
          {words.notOffered}:{' '}
          <code className="[overflow-wrap:anywhere]">
            {others.map(({ server_id, tool }) => `${server_id}/${tool}`).join(', ')}
          </code>
        </p>
      )}
    </>
  )
}
