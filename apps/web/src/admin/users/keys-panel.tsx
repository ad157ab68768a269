import type { ApiKeyCreated, ApiKeyInfo, User } from '@dataagent/schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { AddButton } from '../add-button.tsx'
import { adminWords } from '../admin-words.ts'
import { KeyForm } from './key-form.tsx'
import { KeysTable } from './keys-table.tsx'
import { keysWords } from './keys-words.ts'
import { NewKey } from './new-key.tsx'

type Asked = { what: 'rotate' | 'remove'; key: ApiKeyInfo } | { what: 'add' }

/** The API keys of a user. */
export function KeysPanel({ user }: { user: User }) {
  const words = useWords(keysWords)
  const common = useWords(adminWords)
  const client = useClient()
  const queries = useQueryClient()
  const { tenant_id, user_id } = user
  const [asked, setAsked] = useState<Asked>()
  const [made, setMade] = useState<ApiKeyCreated>()
  const queryKey = ['keys', tenant_id, user_id]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.apiKeys.list(user_id, { limit: 200, tenant_id }, { signal }),
  })

  async function show(key: ApiKeyCreated) {
    setMade(key)
    await queries.invalidateQueries({ queryKey })
  }

  const add = <AddButton label={words.add} onClick={() => setAsked({ what: 'add' })} />
  const onClose = () => setAsked(undefined)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-soft">{words.about}</p>
        {add}
      </div>
      {made && <NewKey made={made} onClose={() => setMade(undefined)} />}
      <QueryView query={query}>
        {({ api_keys }) =>
          api_keys.length === 0 ? (
            <Empty title={words.empty}>{words.emptyAbout}</Empty>
          ) : (
            <KeysTable
              keys={api_keys}
              onRotate={(key) => setAsked({ what: 'rotate', key })}
              onRemove={(key) => setAsked({ what: 'remove', key })}
            />
          )
        }
      </QueryView>
      {asked?.what === 'add' && <KeyForm {...{ user, onClose }} onMade={show} />}
      {asked?.what === 'rotate' && (
        <ConfirmAct
          {...{ onClose, reload: [queryKey] }}
          title={words.rotateTitle(asked.key.name)}
          action={words.rotate}
          work={async () =>
            setMade(await client.apiKeys.rotate(user_id, asked.key.key_id, { tenant_id }))
          }
        >
          <p>{words.rotateAbout}</p>
        </ConfirmAct>
      )}
      {asked?.what === 'remove' && (
        <ConfirmAct
          {...{ onClose, reload: [queryKey], done: words.removed }}
          title={words.removeTitle(asked.key.name)}
          action={common.remove}
          work={() => client.apiKeys.delete(user_id, asked.key.key_id, { tenant_id })}
        >
          <p>{words.removeAbout}</p>
        </ConfirmAct>
      )}
    </div>
  )
}
