import type { ToolGroupInfo } from '@dataagent/schema'
import { Ellipsis, Pencil, Power, PowerOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useProblem } from '../api/use-problem.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Menu } from '../ui/menu.tsx'
import { useWords } from '../words/use-words.ts'
import { exposeWords } from './expose-words.ts'
import { GroupForm } from './group-form.tsx'
import { useGroupActions } from './use-group-actions.ts'

interface GroupMenuProps {
  group: ToolGroupInfo
  onDeleted?(): void
}

/** Edit, switch on or off, delete. What ends connections is asked about first. */
export function GroupMenu({ group, onDeleted }: GroupMenuProps) {
  const words = useWords(exposeWords)
  const toProblem = useProblem()
  const actions = useGroupActions()
  const [open, setOpen] = useState<'edit' | 'disable' | 'delete'>()
  const onClose = () => setOpen(undefined)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={words.more(group.name)} size="small" className="-my-1.5">
            <Ellipsis className="size-4" />
          </IconButton>
        }
        items={[
          { label: words.edit, icon: <Pencil />, onSelect: () => setOpen('edit') },
          group.enabled
            ? { label: words.disable, icon: <PowerOff />, onSelect: () => setOpen('disable') }
            : { label: words.enable, icon: <Power />, onSelect: () => actions.enable(group) },
          'line',
          {
            label: words.delete,
            icon: <Trash2 />,
            danger: true,
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'edit' && <GroupForm group={group} onClose={onClose} />}
      {open === 'disable' && (
        <Confirm
          title={words.disableTitle(group.name)}
          action={words.disable}
          onConfirm={() => actions.disable(group)}
          {...{ onClose, toProblem }}
        >
          <p>{words.disableAbout}</p>
        </Confirm>
      )}
      {open === 'delete' && (
        <Confirm
          title={words.deleteTitle(group.name)}
          action={words.delete}
          onConfirm={async () => {
            await actions.remove(group)
            onDeleted?.()
          }}
          {...{ onClose, toProblem }}
        >
          <p>{words.deleteAbout}</p>
        </Confirm>
      )}
    </>
  )
}
