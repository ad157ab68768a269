import type { Client } from '@dataagent/client'
import { isClientError } from '@dataagent/client'
import type { GrantInfo, User } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { keysWords } from './keys-words.ts'

interface HeldGrant extends GrantInfo {
  group_id: string
  group: string
}

/** Clients that a user has let use a tool group. */
export function ClientsPanel({ user: { user_id } }: { user: User }) {
  const words = useWords(keysWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const client = useClient()
  const [asked, setAsked] = useState<HeldGrant>()
  const queryKey = ['grants', user_id]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => grantsOf(client, user_id, signal),
  })

  const columns: Column<HeldGrant>[] = [
    {
      ...{ name: 'client', head: words.client },
      cell: ({ client_name }) => <PlainText text={client_name} />,
    },
    { name: 'group', head: words.group, cell: ({ group }) => <PlainText text={group} /> },
    { name: 'used', head: words.lastUsed, cell: (grant) => formats.ago(grant.last_used_at) },
    { name: 'expires', head: words.expires, cell: (grant) => formats.day(grant.expires_at) },
    {
      ...{ name: 'actions', head: common.actions },
      cell: (grant) => (
        <Button size="small" kind="danger" onClick={() => setAsked(grant)}>
          {words.revoke}
        </Button>
      ),
    },
  ]
  return (
    <>
      <QueryView query={query}>
        {(grants) =>
          grants.length === 0 ? (
            <Empty title={words.clientsEmpty}>{words.clientsAbout}</Empty>
          ) : (
            <Table
              caption={words.clients}
              columns={columns}
              rows={grants}
              keyOf={({ grant_id }) => grant_id}
            />
          )
        }
      </QueryView>
      {asked && (
        <ConfirmAct
          title={words.revokeTitle(asked.client_name)}
          action={words.revoke}
          work={() => client.toolGroups.revokeGrant(asked.group_id, asked.grant_id)}
          done={words.revoked}
          reload={[queryKey]}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.revokeAbout}</p>
        </ConfirmAct>
      )}
    </>
  )
}

/** Of all groups; none where the gateway is switched off. */
async function grantsOf(client: Client, user_id: string, signal: AbortSignal) {
  const { groups } = await client.toolGroups.list({ signal }).catch((error: unknown) => {
    if (isClientError(error, 'not_found')) return { groups: [] }
    throw error
  })
  const pages = await Promise.all(
    groups.map(async ({ group_id, name: group }): Promise<HeldGrant[]> => {
      const { grants } = await client.toolGroups.grants(group_id, { limit: 200 }, { signal })
      return grants.map((grant) => ({ ...grant, group_id, group }))
    }),
  )
  return pages.flat().filter((grant) => grant.user_id === user_id)
}
