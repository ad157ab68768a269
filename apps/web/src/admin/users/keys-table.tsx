import type { ApiKeyInfo } from '@dataagent/schema'
import { shellWords } from '../../shell/shell-words.ts'
import { Badge, StateDot, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { NameAndId } from '../../ui/details.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { keysWords } from './keys-words.ts'

interface KeysTableProps {
  keys: readonly ApiKeyInfo[]
  onRotate(key: ApiKeyInfo): void
  onRemove(key: ApiKeyInfo): void
}

type KeyState = 'active' | 'revoked' | 'expired'
const tones: Record<KeyState, Tone> = { active: 'good', revoked: 'plain', expired: 'wait' }

export function KeysTable({ keys, onRotate, onRemove }: KeysTableProps) {
  const words = useWords(keysWords)
  const common = useWords(adminWords)
  const { roles } = useWords(shellWords)
  const formats = useFormats()
  const columns: Column<ApiKeyInfo>[] = [
    {
      ...{ name: 'name', head: common.name },
      cell: ({ name, key_id }) => <NameAndId name={name} id={key_id} />,
    },
    {
      ...{ name: 'role', head: words.role },
      cell: ({ role, act_as }) => (
        <span className="flex flex-wrap gap-1">
          <Badge>{roles[role]}</Badge>
          {act_as && <Badge tone="wait">{words.actsFor}</Badge>}
        </span>
      ),
    },
    {
      ...{ name: 'state', head: common.state },
      cell: (key) => {
        const state = stateOf(key)
        return <StateDot tone={tones[state]} text={words.states[state]} />
      },
    },
    {
      ...{ name: 'used', head: words.lastUsed },
      cell: ({ last_used_at }) =>
        last_used_at === null ? common.never : formats.ago(last_used_at),
    },
    {
      ...{ name: 'expires', head: words.expires },
      cell: ({ expires_at }) => (expires_at === null ? '—' : formats.day(expires_at)),
    },
    {
      ...{ name: 'actions', head: common.actions },
      cell: (key) =>
        key.revoked_at === null && (
          <span className="flex gap-1">
            <Button
              size="small"
              disabled={stateOf(key) === 'expired'}
              onClick={() => onRotate(key)}
            >
              {words.rotate}
            </Button>
            <Button size="small" kind="danger" onClick={() => onRemove(key)}>
              {common.remove}
            </Button>
          </span>
        ),
    },
  ]
  return <Table caption={words.keys} columns={columns} rows={keys} keyOf={({ key_id }) => key_id} />
}

function stateOf({ revoked_at, expires_at }: ApiKeyInfo): KeyState {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= Date.now() ? 'expired' : 'active'
}
