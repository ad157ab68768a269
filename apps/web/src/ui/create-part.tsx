import { pause } from '@dataagent/client'
import { type ComponentType, useSyncExternalStore } from 'react'
import { useWords } from '../words/use-words.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { createPartLoader, type PartState } from './part-loader.ts'
import { Spinner } from './spinner.tsx'
import { uiWords } from './ui-words.ts'

/** A part of the pages that comes later than the page that shows it. */
export interface Part<T> {
  /** Whoever asks begins to load it. */
  use(): PartState<T>
  load(): void
}

const answerMs = 10_000

export function createPart<T>(load: () => Promise<T>): Part<T> {
  const loader = createPartLoader({ load, isServerThere, pause })

  function subscribe(listener: () => void): () => void {
    loader.begin()
    return loader.subscribe(listener)
  }

  return { use: () => useSyncExternalStore(subscribe, loader.state), load: loader.begin }
}

async function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMs)
  return fetch('/api/v1/health', { cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

interface Closable {
  /** Given to one that stands over the page. */
  onClose?: (() => void) | undefined
}

/** A component that comes when it is first shown. Until then it says that it loads, or cannot. */
export function createLateView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & Closable> {
  const part = createPart(load)
  return function LateView(props: Props & Closable) {
    const state = part.use()
    if (state.status === 'there') return <state.part {...props} />
    const waiting = <Waiting isStuck={state.status === 'stuck'} onClose={props.onClose} />
    if (!props.onClose) return waiting
    return (
      <div className="fixed inset-x-4 top-16 z-50 mx-auto w-fit max-w-md rounded-xl bg-panel shadow-float">
        {waiting}
      </div>
    )
  }
}

function Waiting({ isStuck, onClose }: Closable & { isStuck: boolean }) {
  const words = useWords(uiWords)
  const close = onClose && (
    <Button size="small" onClick={onClose}>
      {words.close}
    </Button>
  )
  if (isStuck) {
    const reload = (
      <>
        <Button size="small" kind="primary" onClick={() => location.reload()}>
          {words.reload}
        </Button>
        {close}
      </>
    )
    return (
      <Notice tone="bad" action={reload}>
        {words.partMissing}
      </Notice>
    )
  }
  return (
    <p role="status" className="flex items-center gap-2 px-4 py-3 text-sm text-soft">
      <Spinner /> {words.loading} {close}
    </p>
  )
}
