import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes } from 'react';
import { cx } from './class-names';

interface FieldProps {
  label: ReactNode;
  /** One sentence under the label. */
  hint?: ReactNode;
  /** What is wrong and what to do; announced, and tied to the control. */
  error?: string | null | undefined;
  optional?: boolean;
  className?: string;
  /** Gets the ids that tie label, hint and error to the control. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** Label above, hint under it, error below the control. The ready-made fields underneath cover most forms. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional ? <span className="font-normal text-muted"> (optional)</span> : null}
      </label>
      {hint ? <p id={`${id}-hint`} className="text-xs text-muted">{hint}</p> : null}
      {children({ id, ...(describedBy ? { 'aria-describedby': describedBy } : {}), ...(error ? { 'aria-invalid': true as const } : {}) })}
      <FieldError id={`${id}-error`} message={error} />
    </div>
  );
}

function FieldError({ id, message }: { id: string; message: string | null | undefined }) {
  return message ? <p id={id} role="alert" className="text-xs font-medium text-danger">{message}</p> : null;
}

const CONTROL =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-sm text-text placeholder:text-muted aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted';

export const controlClass = (extra?: string): string => cx(CONTROL, 'min-h-9', extra);

type Shell = Omit<FieldProps, 'children'>;

export function TextField({ label, hint, error, optional, className, mono, ...input }: Shell & InputHTMLAttributes<HTMLInputElement> & { mono?: boolean }) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(control) => <input {...input} {...control} className={controlClass(mono ? 'font-mono' : undefined)} />}
    </Field>
  );
}

/**
 * A number, in a text field. The browser's number field sends nothing where it cannot read what stands in it, and nothing
 * means something in a form (no limit, the usual): a slip such as `6-0` has to reach the server as it was typed.
 */
export function NumberField({ whole, ...field }: Omit<Parameters<typeof TextField>[0], 'type' | 'inputMode'> & { /** No fractions: a keyboard with digits alone. */ whole?: boolean }) {
  return <TextField autoComplete="off" {...field} type="text" inputMode={whole ? 'numeric' : 'decimal'} />;
}

export function TextareaField({ label, hint, error, optional, className, mono, ...area }: Shell & TextareaHTMLAttributes<HTMLTextAreaElement> & { mono?: boolean }) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(control) => <textarea rows={4} {...area} {...control} className={controlClass(cx('py-2', mono && 'font-mono'))} />}
    </Field>
  );
}

/** A native select: the platform's own keyboard, touch and screen reader behaviour. */
export function SelectField({ label, hint, error, optional, className, children, ...select }: Shell & SelectHTMLAttributes<HTMLSelectElement> & { children: ReactNode }) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(control) => <select {...select} {...control} className={controlClass('pr-8')}>{children}</select>}
    </Field>
  );
}

export function CheckboxField({ label, hint, error, className, ...input }: Omit<Shell, 'optional'> & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <div className={cx('grid grid-cols-[auto_1fr] gap-x-2.5', className)}>
      <input {...input} id={id} type="checkbox" aria-describedby={describedBy || undefined} aria-invalid={error ? true : undefined} className="mt-0.5 size-4 accent-accent" />
      <label htmlFor={id} className="text-sm">{label}</label>
      {hint ? <p id={`${id}-hint`} className="col-start-2 text-xs text-muted">{hint}</p> : null}
      <div className="col-start-2"><FieldError id={`${id}-error`} message={error} /></div>
    </div>
  );
}

/** A group of controls under one name. */
export function Fieldset({ legend, hint, children, className }: { legend: ReactNode; hint?: ReactNode; children: ReactNode; className?: string }) {
  return (
    <fieldset className={cx('flex min-w-0 flex-col gap-3', className)}>
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      {hint ? <p className="-mt-2 text-xs text-muted">{hint}</p> : null}
      {children}
    </fieldset>
  );
}
