import type { ServerInfo } from '@dataagent/schema'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, ListTree, Pencil, Power, RefreshCw, Stethoscope, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useProblem } from '../../api/use-problem.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useWords } from '../../words/use-words.ts'
import { TestDialog } from '../check/check-dialog.tsx'
import { EditDialog } from '../form/edit-dialog.tsx'
import { toolsWords } from '../tools-words.ts'
import { useServerActions } from '../use-server-actions.ts'
import { useRights } from '../use-servers.ts'

interface ServerActionsProps {
  info: ServerInfo
  /** Where the page of the server is shown anyway. */
  isDetail?: boolean
  onDeleted?: () => void
}

/** What the caller may do with a server; for who may do nothing there is nothing. */
export function ServerActions({ info, isDetail, onDeleted }: ServerActionsProps) {
  const words = useWords(toolsWords)
  const toProblem = useProblem()
  const navigate = useNavigate()
  const { mayManage, mayRenew } = useRights(info)
  const { reconnect, setDisabled, remove } = useServerActions(info)
  const [open, setOpen] = useState<'test' | 'edit' | 'delete'>()
  const [busy, setBusy] = useState(false)
  const close = () => setOpen(undefined)
  const { disabled, name, server_id } = info

  async function connectAnew() {
    setBusy(true)
    await reconnect()
    setBusy(false)
  }

  const toDetails = {
    label: words.details,
    icon: <ListTree />,
    onSelect: () =>
      void navigate({ to: '/tools/servers/$serverId', params: { serverId: server_id } }),
  }
  const managing = [
    {
      label: disabled ? words.enable : words.disable,
      icon: <Power />,
      onSelect: () => void setDisabled(!disabled),
    },
    'line' as const,
    {
      ...{ label: words.delete, icon: <Trash2 />, danger: true },
      onSelect: () => setOpen('delete'),
    },
  ]
  const items = [...(isDetail ? [] : [toDetails]), ...(mayManage ? managing : [])]

  return (
    <div className="flex flex-wrap items-center gap-1">
      {mayRenew && (
        <>
          <Button size="small" icon={<Icon of={Stethoscope} />} onClick={() => setOpen('test')}>
            {words.test}
          </Button>
          <Button
            size="small"
            busy={busy}
            disabled={disabled}
            icon={<Icon of={RefreshCw} />}
            onClick={() => void connectAnew()}
          >
            {words.reconnect}
          </Button>
        </>
      )}
      {mayManage && (
        <Button size="small" icon={<Icon of={Pencil} />} onClick={() => setOpen('edit')}>
          {words.edit}
        </Button>
      )}
      {items.length > 0 && (
        <Menu
          items={items}
          trigger={
            <IconButton label={words.more(name)} size="small">
              <Ellipsis className="size-4" />
            </IconButton>
          }
        />
      )}
      {open === 'test' && <TestDialog info={info} onClose={close} />}
      {open === 'edit' && <EditDialog info={info} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={words.deleteTitle(name)}
          action={words.delete}
          onConfirm={async () => {
            await remove()
            onDeleted?.()
          }}
          onClose={close}
          toProblem={toProblem}
        >
          <p>{info.user_id === null ? words.deleteShared : words.deleteAbout}</p>
        </Confirm>
      )}
    </div>
  )
}

function Icon({ of: Shape }: { of: typeof Pencil }) {
  return <Shape aria-hidden="true" className="size-3.5" />
}
