import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { useWords } from '../words/use-words.ts'
import { cx } from './cx.ts'
import { uiWords } from './ui-words.ts'

interface FieldTexts {
  label: ReactNode
  /** What to write there. */
  hint?: ReactNode
  /** What is wrong with what was written. */
  problem?: string | undefined
  required?: boolean | undefined
  className?: string | undefined
}

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

/** A labelled control with its hint and what is wrong with it. */
function Field(props: FieldTexts & { children(control: ControlProps): ReactNode }) {
  const { label, hint, problem, required, className, children } = props
  const words = useWords(uiWords)
  const id = useId()
  const about = hint || problem ? `${id}-about` : undefined
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {required && (
          <span className="text-bad" title={words.required}>
            {' *'}
          </span>
        )}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': problem ? true : undefined })}
      {about && (
        <div id={about} className="text-[13px]">
          {problem && (
            <p role="alert" className="text-bad">
              {problem}
            </p>
          )}
          {hint && <p className="text-soft">{hint}</p>}
        </div>
      )}
    </div>
  )
}

export const controlClass =
  'w-full min-h-9 rounded-lg border border-line bg-panel px-3 py-1.5 text-sm text-ink ' +
  'aria-invalid:border-bad disabled:opacity-60'

type TextFieldProps = FieldTexts & InputHTMLAttributes<HTMLInputElement>

export function TextField({ label, hint, problem, className, ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, hint, problem, className }} required={rest.required}>
      {(control) => <input type="text" {...rest} {...control} className={controlClass} />}
    </Field>
  )
}

type TextAreaProps = FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement> & { code?: boolean }

export function TextArea({ label, hint, problem, className, code, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, hint, problem, className }} required={rest.required}>
      {(control) => (
        <textarea
          rows={4}
          spellCheck={!code}
          {...rest}
          {...control}
          className={cx(controlClass, code && 'font-mono text-[13px]')}
        />
      )}
    </Field>
  )
}

type SelectFieldProps = FieldTexts & SelectHTMLAttributes<HTMLSelectElement>

export function SelectField(props: SelectFieldProps) {
  const { label, hint, problem, className, children, ...rest } = props
  return (
    <Field {...{ label, hint, problem, className }} required={rest.required}>
      {(control) => (
        <select {...rest} {...control} className={controlClass}>
          {children}
        </select>
      )}
    </Field>
  )
}

interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange(checked: boolean): void
}

/** On or off, at once. */
export function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <span id={id} className="text-sm font-medium">
          {label}
        </span>
        {hint && <p className="text-[13px] text-soft">{hint}</p>}
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={id}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className={cx(
          'relative mt-0.5 h-6 w-10 shrink-0 rounded-full border transition-colors disabled:opacity-50',
          checked ? 'border-accent bg-accent' : 'border-soft bg-raised',
        )}
      >
        <span
          aria-hidden="true"
          className={cx(
            'absolute top-[3px] size-4 rounded-full transition-[left]',
            checked ? 'left-[20px] bg-on-accent' : 'left-[3px] bg-soft',
          )}
        />
      </button>
    </div>
  )
}
