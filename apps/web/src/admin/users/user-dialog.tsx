import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../words/use-words.ts'
import { ClientsPanel } from './clients-panel.tsx'
import { KeysPanel } from './keys-panel.tsx'
import { keysWords } from './keys-words.ts'
import { usersWords } from './users-words.ts'

interface UserDialogProps {
  tenant_id: string
  user_id: string
  onClose(): void
}

/** What speaks for a user: keys, and clients that they have allowed. */
export function UserDialog({ tenant_id, user_id, onClose }: UserDialogProps) {
  const words = useWords(keysWords)
  const { openKeys } = useWords(usersWords)
  const client = useClient()
  const me = useMe()
  const [tab, setTab] = useState('keys')
  const query = useQuery({
    queryKey: ['users', 'one', tenant_id, user_id],
    queryFn: ({ signal }) => client.users.get(user_id, { tenant_id, signal }),
  })
  return (
    <Dialog title={openKeys(query.data?.name ?? user_id)} size="wide" onClose={onClose}>
      <QueryView query={query}>
        {(user) => {
          const keys = { value: 'keys', label: words.keys, content: <KeysPanel user={user} /> }
          const clients = {
            ...{ value: 'clients', label: words.clients },
            content: <ClientsPanel user={user} />,
          }
          // Tool groups are asked for in the caller's own tenant alone.
          if (tenant_id !== me.tenant_id) return <KeysPanel user={user} />
          return <Tabs label={words.tabs} tabs={[keys, clients]} value={tab} onChange={setTab} />
        }}
      </QueryView>
    </Dialog>
  )
}
