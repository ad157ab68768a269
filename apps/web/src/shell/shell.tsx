import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useClient, useMe, useSignOut } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { useWaitingCount } from '../approvals/notices/use-waiting-count.ts'
import { TourContext, useTourState } from '../tour/tour-context.ts'
import { StateDot, type Tone } from '../ui/badge.tsx'
import { createLateView } from '../ui/create-part.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useWords } from '../words/use-words.ts'
import { isOffered } from './is-offered.ts'
import { NavRail } from './nav-rail.tsx'
import { shellWords } from './shell-words.ts'
import { AccountMenu, SearchButton, TopBar } from './top-bar.tsx'

const Palette = createLateView(() => import('./palette.tsx').then(({ Palette }) => Palette))
const TourView = createLateView(() =>
  import('../tour/tour-view.tsx').then(({ TourView }) => TourView),
)
const OwnClients = createLateView(() =>
  import('./own-clients/own-clients.tsx').then(({ OwnClients }) => OwnClients),
)
const Help = createLateView(() => import('./help.tsx').then(({ Help }) => Help))

/** What is around every page of somebody who is signed in. */
export function Shell() {
  const words = useWords(shellWords)
  const me = useMe()
  const toaster = useToaster()
  const toProblem = useProblem()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'palette' | 'help' | 'clients'>()
  const tour = useTourState()
  useShellKeys(setOpen)

  function startTour() {
    setOpen(undefined)
    tour.start()
  }

  return (
    <TourContext value={tour}>
      <div className="flex h-dvh flex-col">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-3"
        >
          {words.skip}
        </a>
        <TopBar>
          <SearchButton onOpen={() => setOpen('palette')} />
          <Health />
          <AccountMenu
            name={me.name}
            role={words.roles[me.role]}
            onMemory={
              isOffered('/memory', me.role) ? () => void navigate({ to: '/memory' }) : undefined
            }
            onClients={() => setOpen('clients')}
            onHelp={() => setOpen('help')}
            onSignOut={() => void signOut().catch((error) => toaster.failed(toProblem(error)))}
          />
        </TopBar>
        <div className="flex min-h-0 flex-1 flex-col md:flex-row">
          <NavRail waiting={useWaitingCount()} isAdmin={isOffered('/admin', me.role)} />
          <main
            id="content"
            tabIndex={-1}
            className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none"
          >
            <Outlet />
          </main>
        </div>
        {open === 'palette' && <Palette onClose={() => setOpen(undefined)} />}
        {open === 'clients' && <OwnClients onClose={() => setOpen(undefined)} />}
        {open === 'help' && <Help onClose={() => setOpen(undefined)} onTour={startTour} />}
        {tour.at !== undefined && <TourView onClose={tour.end} />}
      </div>
    </TourContext>
  )
}

function useShellKeys(setOpen: (open: 'palette' | 'help') => void): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isTyping = (event.target as HTMLElement | null)?.closest(
        'input, textarea, select, [contenteditable]',
      )
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        setOpen('palette')
      } else if (event.key === '?' && !isTyping && !isDialogOpen()) setOpen('help')
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [setOpen])
}

/** What is above the page has keys of its own. */
const isDialogOpen = () => document.querySelector('dialog[open]') !== null

const tones: Record<'ok' | 'degraded' | 'away', Tone> = {
  ok: 'good',
  degraded: 'wait',
  away: 'bad',
}

function Health() {
  const words = useWords(shellWords)
  const client = useClient()
  const { data, isError } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.operations.health({ signal }),
    refetchInterval: 10_000,
    retry: false,
  })
  const state = isError ? 'away' : (data?.status ?? 'ok')
  return (
    <span aria-live="polite" className="px-1">
      <StateDot tone={tones[state]} text={words.health[state]} hideText />
    </span>
  )
}
