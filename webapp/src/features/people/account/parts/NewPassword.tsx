import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import { PasswordField } from "@/ui/form/fields";
import { accountTexts } from "../texts";

export interface NewPasswordForm {
  newPassword: string;
  repeat: string;
}

interface NewPasswordProps {
  newPassword: UseFormRegisterReturn;
  repeat: UseFormRegisterReturn;
  errors: FieldErrors<NewPasswordForm>;
}

const { fields } = accountTexts;

/** A new password, typed twice. */
export function NewPassword({ newPassword, repeat, errors }: NewPasswordProps) {
  return (
    <>
      <PasswordField
        label={fields.newPassword}
        autoComplete="new-password"
        help={fields.passwordHelp}
        error={errors.newPassword?.message}
        {...newPassword}
      />
      <PasswordField label={fields.repeat} autoComplete="new-password" error={errors.repeat?.message} {...repeat} />
    </>
  );
}
