import { useLocation, useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { useWords } from '../words/use-words.ts'
import { beside } from './beside.ts'
import type { TourStep } from './steps.ts'
import { useTour } from './tour-context.ts'
import { tourWords } from './tour-words.ts'
import { type Place, usePlace } from './use-place.ts'
import { useSteps } from './use-steps.ts'

/** The tour's step of now, beside what it speaks of. The pages stay usable. */
export function TourView() {
  const tour = useTour()
  const steps = useSteps()
  const step = steps.find(({ id }) => id === tour.at)
  return step && <StepView key={step.id} step={step} steps={steps} />
}

/** Beside the conversation, so that the answer is seen. */
const outOfTheWay = { left: 84, bottom: 24 }

interface StepViewProps {
  step: TourStep
  steps: readonly TourStep[]
}

function StepView({ step, steps }: StepViewProps) {
  const words = useWords(tourWords)
  const tour = useTour()
  const heading = useId()
  const box = useRef<HTMLDivElement>(null)
  const place = usePlace(step.target)
  const pathname = useLocation({ select: (at) => at.pathname })
  const isTaken = step.ask !== undefined && pathname.startsWith('/c/')
  const corner = useCorner(box, place)
  useStepPage(step)

  // Where something is filled in, the keys belong there.
  useEffect(() => {
    if (step.ask === undefined) box.current?.focus()
  }, [step.ask])

  function onKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    tour.end()
  }

  const { title, text, after } = words.steps[step.id]
  const at = steps.indexOf(step)
  const [before, next] = [steps[at - 1], steps[at + 1]]
  return (
    <div className="hidden md:block">
      {place && !isTaken && (
        <div
          aria-hidden="true"
          className="pointer-events-none fixed z-40 rounded-2xl outline-2 outline-offset-4 outline-accent"
          style={place}
        />
      )}
      <div
        ref={box}
        role="dialog"
        aria-labelledby={heading}
        tabIndex={-1}
        onKeyDown={onKey}
        className="fixed z-40 w-80 rounded-2xl border border-accent bg-panel p-4 text-sm shadow-float"
        style={isTaken ? outOfTheWay : (corner ?? outOfTheWay)}
      >
        <div aria-live="polite">
          <p className="pr-8 text-[13px] text-soft">{words.count(at + 1, steps.length)}</p>
          <h2 id={heading} className="font-semibold">
            {title}
          </h2>
          <p className="mt-1">{isTaken ? after : text}</p>
        </div>
        <div className="mt-3 flex justify-end gap-2">
          {before && (
            <Button size="small" kind="quiet" onClick={() => tour.go(before.id)}>
              {words.back}
            </Button>
          )}
          <Button
            size="small"
            kind="primary"
            onClick={() => (next ? tour.go(next.id) : tour.end())}
          >
            {next ? words.next : words.done}
          </Button>
        </div>
        <span className="absolute top-2 right-2">
          <IconButton label={words.skip} size="small" onClick={tour.end}>
            <X className="size-4" />
          </IconButton>
        </span>
      </div>
    </div>
  )
}

/** Opens the page that the step is about, with what it asks filled in. */
function useStepPage({ to, ask }: TourStep): void {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the step begins
  useEffect(() => {
    void navigate(ask === undefined ? { to } : { to: '/c', search: { ask } })
  }, [])
}

function useCorner(box: RefObject<HTMLElement | null>, place: Place | undefined) {
  const [corner, setCorner] = useState<{ top: number; left: number }>()
  useLayoutEffect(() => {
    const size = box.current?.getBoundingClientRect()
    const screen = { width: innerWidth, height: innerHeight }
    setCorner(place && size && beside(place, size, screen))
  }, [box, place])
  return corner
}
