import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { paymentTexts as t } from "../texts";

export function ToAjo({ ajoId }: { ajoId: string }) {
  return (
    <LinkButton to={paths.ajo(ajoId)} size="lg" variant="outline" fullWidth>
      {t.toAjo}
    </LinkButton>
  );
}
