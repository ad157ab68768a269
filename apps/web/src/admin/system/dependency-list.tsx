import { QueryView } from '../../api/query-view.tsx'
import { StateDot, type Tone } from '../../ui/badge.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { dependencyWords } from './dependency-words.ts'
import { type Dependency, useDependencies } from './use-dependencies.ts'

const tones: Record<Dependency['status'], Tone> = {
  ready: 'good',
  connecting: 'wait',
  away: 'bad',
}

/** What the server needs, each with how it fares and since when. */
export function DependencyList() {
  const words = useWords(dependencyWords)
  const formats = useFormats()
  return (
    <QueryView query={useDependencies()}>
      {(dependencies) =>
        dependencies.length === 0 ? (
          <p className="text-sm text-soft">{words.none}</p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {dependencies.map(({ name, status, since }) => (
              <li key={name} className="flex flex-wrap items-baseline gap-x-3">
                <span className="min-w-28 text-sm font-medium">{words.names[name] ?? name}</span>
                <StateDot tone={tones[status]} text={words.status[status]} />
                <span className="text-[13px] text-soft">{words.since(formats.ago(since))}</span>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}
