import type { OwnGrantsPage } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { ownClientsWords } from './own-clients-words.ts'

type Grant = OwnGrantsPage['grants'][number]

const queryKey = ['own-grants']
const most = 200

/** The MCP clients that the person gave access, each to be disconnected. */
export function OwnClients({ onClose }: { onClose(): void }) {
  const words = useWords(ownClientsWords)
  const client = useClient()
  const [asked, setAsked] = useState<Grant>()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.identity.grants({ limit: most }, { signal }),
  })
  return (
    <Dialog title={words.title} onClose={onClose}>
      <QueryView query={query}>
        {({ grants }) =>
          grants.length === 0 ? (
            <Empty title={words.empty}>{words.emptyAbout}</Empty>
          ) : (
            <Grants grants={grants} onEnd={setAsked} />
          )
        }
      </QueryView>
      {asked && (
        <ConfirmAct
          title={words.endTitle(asked.client_name)}
          action={words.end}
          work={() => client.identity.endGrant(asked.grant_id)}
          done={words.ended}
          reload={[queryKey]}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.endAbout}</p>
        </ConfirmAct>
      )}
    </Dialog>
  )
}

interface GrantsProps {
  grants: readonly Grant[]
  onEnd(grant: Grant): void
}

function Grants({ grants, onEnd }: GrantsProps) {
  const words = useWords(ownClientsWords)
  const formats = useFormats()
  const columns: Column<Grant>[] = [
    {
      ...{ name: 'client', head: words.client },
      cell: ({ client_name }) => <PlainText text={client_name} />,
    },
    { name: 'group', head: words.group, cell: ({ group_name }) => <PlainText text={group_name} /> },
    { name: 'used', head: words.lastUsed, cell: (grant) => formats.ago(grant.last_used_at) },
    { name: 'expires', head: words.expires, cell: (grant) => formats.day(grant.expires_at) },
    {
      ...{ name: 'end', head: '', align: 'end' },
      cell: (grant) => (
        <Button
          size="small"
          kind="danger"
          aria-label={words.endOne(grant.client_name)}
          onClick={() => onEnd(grant)}
        >
          {words.end}
        </Button>
      ),
    },
  ]
  return (
    <Table
      caption={words.title}
      columns={columns}
      rows={grants}
      keyOf={({ grant_id }) => grant_id}
    />
  )
}
