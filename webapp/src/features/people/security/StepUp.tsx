import { Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { getTotp, stepUp } from "@/api/security";
import { normalizeCode, rules } from "@/features/people/account";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { PasswordField, TextField } from "@/ui/form/fields";
import { Modal } from "@/ui/overlays";
import { stepUpTexts as t } from "./texts";

type Means = "password" | "code";

/** Who has two-step login shows a code first. */
function useMeans() {
  const [means, setMeans] = useState<Means>("password");
  const [hasTotp, setHasTotp] = useState(false);
  useEffect(() => {
    let left = false;
    getTotp().then(
      ({ value }) => {
        if (left || !value.enabled) return;
        setHasTotp(true);
        setMeans("code");
      },
      () => {},
    );
    return () => {
      left = true;
    };
  }, []);
  return { means, setMeans, hasTotp, setHasTotp };
}

function useConfirm(means: Means, onCodeWanted: () => void) {
  const settle = useStore((state) => state.settleStepUp);
  const [fault, setFault] = useState<string>();
  const form = useForm({ defaultValues: { password: "", code: "" } });
  const submit = useSubmit(form, {
    send: ({ password, code }) => {
      setFault(undefined);
      return stepUp(means === "code" ? { code: normalizeCode(code) } : { password });
    },
    onDone: () => settle(true),
    onFailed: (failure, text) => {
      const codeWanted = failure.field === "code" && means === "password";
      if (failure.expired) return true;
      if (codeWanted) onCodeWanted();
      if (!codeWanted && failure.certain && failure.code !== "TOO_MANY") {
        form.setError(means, { message: text }, { shouldFocus: true });
      } else setFault(text);
      return true;
    },
  });
  return { ...form, submit, fault };
}

function Ask() {
  const { means, setMeans, hasTotp, setHasTotp } = useMeans();
  const { register, formState, submit, fault } = useConfirm(means, () => {
    setHasTotp(true);
    setMeans("code");
  });
  const settle = useStore((state) => state.settleStepUp);
  const { errors } = formState;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <p>{t.lead}</p>
        {fault && (
          <Note tone="danger" live>
            {fault}
          </Note>
        )}
        {means === "code" ? (
          <TextField
            key="code"
            label={t.code}
            help={t.codeHelp}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.code?.message}
            {...register("code", rules.code)}
          />
        ) : (
          <PasswordField
            key="password"
            label={t.password}
            autoComplete="current-password"
            error={errors.password?.message}
            {...register("password", rules.password)}
          />
        )}
        <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
          {t.submit}
        </Button>
        {hasTotp && (
          <Button variant="link" onClick={() => setMeans(means === "code" ? "password" : "code")}>
            {means === "code" ? t.usePassword : t.useCode}
          </Button>
        )}
        <Button variant="outline" fullWidth onClick={() => settle(false)}>
          {t.cancel}
        </Button>
      </Stack>
    </form>
  );
}

/** The one dialog that asks the person signed in to show again who they are. */
export function StepUp() {
  const open = useStore((state) => state.stepUpAsked);
  const settle = useStore((state) => state.settleStepUp);
  return (
    <Modal open={open} onClose={() => settle(false)} title={t.title}>
      <Ask />
    </Modal>
  );
}
