import type { User } from '@dataagent/schema'
import { EllipsisVertical, KeyRound } from 'lucide-react'
import { useIsAdmin, useMe } from '../../api/api-context.ts'
import { shellWords } from '../../shell/shell-words.ts'
import { Badge, StateDot, type Tone } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { NameAndId } from '../../ui/details.tsx'
import { Menu } from '../../ui/menu.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { useUserActions } from './use-user-actions.tsx'
import { usersWords } from './users-words.ts'

interface UsersTableProps {
  users: readonly User[]
  onEdit(user: User): void
  /** To their keys. */
  onOpen(user: User): void
}

const roleTones: Record<User['role'], Tone> = {
  platform_admin: 'accent',
  admin: 'info',
  user: 'plain',
  auditor: 'wait',
}

export function UsersTable({ users, onEdit, onOpen }: UsersTableProps) {
  const words = useWords(usersWords)
  const common = useWords(adminWords)
  const { roles } = useWords(shellWords)
  const formats = useFormats()
  const me = useMe()
  const isAdmin = useIsAdmin()
  const { disable, enable, signOut, dialog } = useUserActions()
  const isMe = (user: User) => user.user_id === me.user_id && user.tenant_id === me.tenant_id

  const columns: Column<User>[] = [
    {
      ...{ name: 'user', head: common.user },
      cell: (user) => (
        <span className="flex items-start gap-2">
          <NameAndId name={user.name} id={user.user_id} />
          {isMe(user) && <Badge tone="info">{words.you}</Badge>}
        </span>
      ),
    },
    {
      ...{ name: 'role', head: words.role },
      cell: ({ role }) => <Badge tone={roleTones[role]}>{roles[role]}</Badge>,
    },
    {
      ...{ name: 'state', head: common.state },
      cell: ({ disabled_at }) =>
        disabled_at === null ? (
          <StateDot tone="good" text={words.active} />
        ) : (
          <StateDot tone="bad" text={words.disabledSince(formats.time(disabled_at))} />
        ),
    },
    {
      ...{ name: 'created', head: common.created },
      cell: ({ created_at }) => (
        <span className="whitespace-nowrap">{formats.time(created_at)}</span>
      ),
    },
  ]
  if (isAdmin) {
    columns.push({
      ...{ name: 'actions', head: common.actions },
      cell: (user) => (
        <span className="flex items-center gap-1">
          <Button
            size="small"
            aria-label={words.openKeys(user.name)}
            icon={<KeyRound aria-hidden="true" className="size-3.5" />}
            onClick={() => onOpen(user)}
          >
            {words.keys}
          </Button>
          <Menu
            trigger={
              <IconButton size="small" label={common.menu(user.name)}>
                <EllipsisVertical className="size-4" />
              </IconButton>
            }
            items={[
              { label: common.edit, onSelect: () => onEdit(user) },
              { label: words.signOut, onSelect: () => signOut(user) },
              'line',
              user.disabled_at === null
                ? { label: common.disable, danger: true, onSelect: () => disable(user) }
                : { label: common.enable, onSelect: () => enable(user) },
            ]}
          />
        </span>
      ),
    })
  }
  return (
    <>
      <Table
        caption={words.list}
        columns={columns}
        rows={users}
        keyOf={({ tenant_id, user_id }) => `${tenant_id}/${user_id}`}
      />
      {dialog}
    </>
  )
}
