import { ChakraProvider } from "@chakra-ui/react";
import { createBrowserRouter, RouterProvider } from "react-router";
import { system } from "@/theme/system";
import { Toaster } from "@/ui/toaster";
import { Root } from "./Root";
import { failed, routes } from "./router";
import { UpdateBar } from "./UpdateBar";

const router = createBrowserRouter([{ element: <Root />, errorElement: failed, children: routes }]);

export function App() {
  return (
    <ChakraProvider value={system}>
      <RouterProvider router={router} />
      <UpdateBar />
      <Toaster />
    </ChakraProvider>
  );
}
