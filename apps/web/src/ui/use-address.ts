import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

type Change<S> = { [Name in keyof S]?: S[Name] | undefined }

/** What the address says behind `?`, and the way to change a part; undefined takes it out. */
export function useAddress<S extends object>(): [S, (change: Change<S>) => void] {
  const search: object = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (part: Change<S>) => {
      const next = (old: object) => ({ ...old, ...part })
      void navigate({ to: '.', search: next as never, replace: true })
    },
    [navigate],
  )
  return [search as S, change]
}
